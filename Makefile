.PHONY: ros
ros:
	@python3 ros/prepare

# How CMake builds against the ROS in .ros/ (ros/env.sh names this file in CMAKE_TOOLCHAIN_FILE): with that ROS's own Python, and
# without looking under /usr, where a distribution may keep parts of another ROS.
set(Python3_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/../.ros/prefix/bin/python3")
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)

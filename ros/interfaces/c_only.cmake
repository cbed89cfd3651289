# How the message packages for the private ROS of .ros/ are built, included by project() (ros/prepare/interfaces.py).
#
# That ROS has no client library for C++, so nothing there can use C++ types: r2r and rclpy take those of C.
find_package(ament_cmake REQUIRED)
find_package(rosidl_default_generators REQUIRED)
list(FILTER AMENT_EXTENSIONS_rosidl_generate_idl_interfaces EXCLUDE REGEX "_cpp:")

# Most of the time goes into reading the same headers again for each interface.
function(join_sources)
  foreach(kind fastrtps_c introspection_c)
    if(TARGET ${PROJECT_NAME}__rosidl_typesupport_${kind})
      set_target_properties(${PROJECT_NAME}__rosidl_typesupport_${kind} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL join_sources)

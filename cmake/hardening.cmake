# What makes a mistake end the program instead of giving it away, in everything that is shipped; `slm doctor --build`
# shows what a program has. Sanitizers check more, and fortified functions would hide some of it from them.
option(SLM_HARDEN "Stack protector, checked memory functions and vectors, read-only tables of the loader" ON)

add_library(slm_hardening INTERFACE)
# No path of this machine in the program: the same sources give the same bytes wherever they are.
target_compile_options(slm_hardening INTERFACE -ffile-prefix-map=${PROJECT_SOURCE_DIR}=.)
if(SLM_HARDEN AND NOT WIN32)
  target_compile_options(slm_hardening INTERFACE -fstack-protector-strong)
  target_compile_definitions(slm_hardening INTERFACE _GLIBCXX_ASSERTIONS)
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    target_compile_options(slm_hardening INTERFACE
                           $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE;-D_FORTIFY_SOURCE=3>)
  endif()
  if(CMAKE_SYSTEM_NAME STREQUAL "Linux")
    target_link_options(slm_hardening INTERFACE -Wl,-z,relro,-z,now,-z,noexecstack)
  endif()
endif()

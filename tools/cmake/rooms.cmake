# pto_room(<name> [DEPENDS rooms…]): one folder, one static library `pto_<name>`.
# Include paths start at the folders `compiler` and `runtime`, so that a header is named by its
# room: #include "diag/sink.h".

add_library(pto_options INTERFACE)
target_compile_options(pto_options INTERFACE -Wall -Wextra -Wno-unused-parameter)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 sees overlapping copies in `"x" + std::string()` where there are none.
  target_compile_options(pto_options INTERFACE -Wno-restrict)
endif()
if(NOT PTO_SANITIZE AND NOT PTO_FUZZ)
  # Instrumented code makes compilers see ghosts; the plain build is the judge.
  target_compile_options(pto_options INTERFACE -Werror)
endif()
target_include_directories(pto_options INTERFACE ${CMAKE_SOURCE_DIR}/compiler ${CMAKE_SOURCE_DIR}/runtime
                           ${CMAKE_BINARY_DIR}/generated)
target_include_directories(pto_options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(pto_options INTERFACE ${LLVM_DEFINITIONS})
if(PTO_SANITIZE)
  # A null pointer ends in the address sanitizer's report anyway; without these two checks the build
  # is a fifth shorter.
  target_compile_options(pto_options INTERFACE -fsanitize=address,undefined -fno-sanitize=null,vptr
                         -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(pto_options INTERFACE -fsanitize=address,undefined)
endif()
if(PTO_FUZZ)
  target_compile_options(pto_options INTERFACE -fsanitize=fuzzer-no-link,address,undefined
                         -fno-sanitize-recover=all)
  target_link_options(pto_options INTERFACE -fsanitize=address,undefined)
  target_compile_definitions(pto_options INTERFACE PTO_FUZZ)
endif()

# pto_precompile(<target>): in a sanitizer build the headers that most files include are read once.
# The plain build reads them in every file of the rooms, and so says which includes a file lacks.
set(PTO_PRECOMPILED
    <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallVector.h>
    <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h> <llvm/Support/Allocator.h>
    <llvm/Support/Casting.h> <llvm/Support/Error.h> <llvm/Support/FormatVariadic.h>
    <llvm/Support/JSON.h> <llvm/Support/SourceMgr.h> <llvm/Support/raw_ostream.h>
    <algorithm> <deque> <functional> <map> <memory> <optional> <string> <vector>)
file(WRITE ${CMAKE_BINARY_DIR}/generated/precompiled.cpp "")
if(PTO_SANITIZE)
  add_library(pto_precompiled OBJECT ${CMAKE_BINARY_DIR}/generated/precompiled.cpp)
  target_link_libraries(pto_precompiled PRIVATE pto_options)
  target_precompile_headers(pto_precompiled PRIVATE ${PTO_PRECOMPILED})
endif()
function(pto_precompile target)
  if(PTO_SANITIZE)
    target_precompile_headers(${target} REUSE_FROM pto_precompiled)
  endif()
endfunction()

function(pto_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  if(sources)
    set(scope PUBLIC)
    add_library(pto_${name} STATIC ${sources})
    pto_precompile(pto_${name})
  else()
    set(scope INTERFACE)
    add_library(pto_${name} INTERFACE)
  endif()
  target_link_libraries(pto_${name} ${scope} pto_options)
  foreach(neighbour IN LISTS ROOM_DEPENDS)
    target_link_libraries(pto_${name} ${scope} pto_${neighbour})
  endforeach()
endfunction()

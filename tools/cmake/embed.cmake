# pto_embed(<target> <symbol> FILES…): a C++ source that holds each file as a string, in a table
# `extern const EmbeddedFile <symbol>[]` ended by an empty name. The build makes it; no copy is kept.
function(pto_embed target symbol)
  cmake_parse_arguments(EMBED "" "BASE" "FILES" ${ARGN})
  set(out ${CMAKE_BINARY_DIR}/generated/embed/${symbol}.cpp)
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DSYMBOL=${symbol} -DBASE=${EMBED_BASE} "-DFILES=${EMBED_FILES}"
            -P ${CMAKE_SOURCE_DIR}/tools/cmake/write_embedded.cmake
    DEPENDS ${EMBED_FILES} ${CMAKE_SOURCE_DIR}/tools/cmake/write_embedded.cmake
    COMMENT "Embedding ${symbol}" VERBATIM)
  target_sources(${target} PRIVATE ${out})
endfunction()

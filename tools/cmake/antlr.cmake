# pto_grammar(<target>): generates lexer and parser from grammar/*.g4 and compiles them into the
# target. Distribution versions 4.7.2 (tool) and 4.9 (runtime) work together.
find_program(ANTLR4_TOOL antlr4 REQUIRED)
find_path(ANTLR4_INCLUDE antlr4-runtime.h PATH_SUFFIXES antlr4-runtime REQUIRED)
find_library(ANTLR4_RUNTIME libantlr4-runtime.a REQUIRED)

function(pto_grammar target)
  set(out ${CMAKE_BINARY_DIR}/generated/grammar)
  set(made ${out}/PtoLexer.cpp ${out}/PtoLexer.h ${out}/PtoParser.cpp ${out}/PtoParser.h)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${ANTLR4_TOOL} -Dlanguage=Cpp -no-listener -no-visitor -o ${out} PtoLexer.g4
    COMMAND ${ANTLR4_TOOL} -Dlanguage=Cpp -no-listener -no-visitor -lib ${out} -o ${out} PtoParser.g4
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR}/grammar
    DEPENDS ${CMAKE_SOURCE_DIR}/grammar/PtoLexer.g4 ${CMAKE_SOURCE_DIR}/grammar/PtoParser.g4
    COMMENT "Generating lexer and parser" VERBATIM)
  set(generated ${made})
  list(FILTER generated INCLUDE REGEX "\\.cpp$")
  # Generated sources are not ours to warn about; the runtime predates char8_t.
  set_source_files_properties(${generated} PROPERTIES COMPILE_OPTIONS "-w")
  # A language option of its own: no precompiled header of the others fits.
  set_target_properties(${target} PROPERTIES DISABLE_PRECOMPILE_HEADERS ON)
  target_sources(${target} PRIVATE ${made})
  target_compile_options(${target} PRIVATE -fno-char8_t)
  target_include_directories(${target} SYSTEM PRIVATE ${ANTLR4_INCLUDE} ${CMAKE_BINARY_DIR}/generated)
  target_link_libraries(${target} PRIVATE ${ANTLR4_RUNTIME} pthread)
endfunction()

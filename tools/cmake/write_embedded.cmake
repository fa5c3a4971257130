# Run by pto_embed at build time: OUT, SYMBOL, BASE, FILES.
set(rows "")
foreach(path IN LISTS FILES)
  file(READ ${path} text)
  file(RELATIVE_PATH name ${BASE} ${path})
  # A raw string literal may hold at most 64 KiB portably; our files are far smaller.
  string(APPEND rows "    {\"${name}\", R\"__pto__(${text})__pto__\"},\n")
endforeach()
file(WRITE ${OUT} "#include \"base/embedded.h\"\n\nnamespace pto {\nextern const EmbeddedFile ${SYMBOL}[] = {\n${rows}    {\"\", \"\"}};\n} // namespace pto\n")

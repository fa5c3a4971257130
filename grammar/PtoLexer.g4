// The tokens of the language: the only list of them. Each rule has an example above it where its
// name does not say enough. Comments and white space go to channels of their own, so that a
// formatter can have them back; the parser sees neither.
lexer grammar PtoLexer;

channels { SPACES, COMMENTS }

// --- Keywords: reserved everywhere --------------------------------------------------------------

BREAK     : 'break' ;
CONST     : 'const' ;
CONTINUE  : 'continue' ;
ELSE      : 'else' ;
EXPECT    : 'expect' ;
FALSE     : 'false' ;
FILL      : 'fill' ;
FN        : 'fn' ;
FOR       : 'for' ;
HOST      : 'host' ;
IF        : 'if' ;
IMPORT    : 'import' ;
IN        : 'in' ;
KERNEL    : 'kernel' ;
LAUNCH    : 'launch' ;
LET       : 'let' ;
LOCAL     : 'local' ;
LOOP      : 'loop' ;
RETURN    : 'return' ;
SAVE      : 'save' ;
SESSION   : 'session' ;
SYNC      : 'sync' ;
TEST      : 'test' ;
TILE      : 'tile' ;
TRUE      : 'true' ;
VAR       : 'var' ;
VIOLATION : 'violation' ;
WHILE     : 'while' ;
WINDOW    : 'window' ;
YIELD     : 'yield' ;

// --- Contextual words: keywords in one place, names elsewhere (PtoParser, rule `name`) ----------

AFTER  : 'after' ;
ALIGN  : 'align' ;
AS     : 'as' ;
AT     : 'at' ;
AUTO   : 'auto' ;
BLOCKS : 'blocks' ;
FROM   : 'from' ;
GM     : 'gm' ;
GROUP  : 'group' ;
ON     : 'on' ;
REMOTE : 'remote' ;
STEP   : 'step' ;
STREAM : 'stream' ;
TO     : 'to' ;
VALID  : 'valid' ;
WHERE  : 'where' ;
WITHIN : 'within' ;

// --- Names and literals -------------------------------------------------------------------------

// ring_next
IDENT : [A-Za-z_] [A-Za-z0-9_]* ;

// 4096   1_000   0xff   0b1010
INT : DIGITS | '0' [xX] HEX ('_'? HEX)* | '0' [bB] [01] ('_'? [01])* ;

// 1.5   1e-3   2.5e+10     (`0..5` is INT RANGE INT, since a digit must follow the point)
FLOAT : DIGITS '.' DIGITS EXPONENT? | DIGITS EXPONENT ;

// "rank {}\n"
STRING : '"' CHARACTER* '"' ;

// """{"a": "b"}"""         (as it is written, over several lines too: no escapes)
BLOCK_STRING : '"""' BLOCK_CHARACTER* '"""' ;

// """never closed           (to the end of the file)
OPEN_BLOCK_STRING : '"""' BLOCK_CHARACTER* '"'? '"'? ;

// "never closed             (to the end of the line)
OPEN_STRING : '"' CHARACTER* '\\'? ;

fragment CHARACTER : ~["\\\r\n] | '\\' ~[\r\n] ;
fragment BLOCK_CHARACTER : ~'"' | '"' ~'"' | '""' ~'"' ;
fragment DIGITS    : [0-9] ('_'? [0-9])* ;
fragment EXPONENT  : [eE] [+-]? DIGITS ;
fragment HEX       : [0-9a-fA-F] ;

// --- Punctuation --------------------------------------------------------------------------------

LPAREN : '(' ;
RPAREN : ')' ;
LBRACK : '[' ;
RBRACK : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;
COMMA  : ',' ;
COLON  : ':' ;
SEMI   : ';' ;
DOT    : '.' ;
RANGE  : '..' ;
ARROW  : '->' ;
PEER   : '@' ;
HASH   : '#' ;

// --- Operators: meaning and precedence stand in compiler/base/operator.def -----------------------

PLUS        : '+' ;
MINUS       : '-' ;
STAR        : '*' ;
SLASH       : '/' ;
PERCENT     : '%' ;
AMP         : '&' ;
PIPE        : '|' ;
CARET       : '^' ;
SHIFT_LEFT  : '<<' ;
SHIFT_RIGHT : '>>' ;
AND         : '&&' ;
OR          : '||' ;
BANG        : '!' ;
TILDE       : '~' ;
EQUAL       : '==' ;
NOT_EQUAL   : '!=' ;
NEARLY      : '~=' ;
LESS        : '<' ;
LESS_EQ     : '<=' ;
GREATER     : '>' ;
GREATER_EQ  : '>=' ;

ASSIGN             : '=' ;
PLUS_ASSIGN        : '+=' ;
MINUS_ASSIGN       : '-=' ;
STAR_ASSIGN        : '*=' ;
SLASH_ASSIGN       : '/=' ;
PERCENT_ASSIGN     : '%=' ;
AMP_ASSIGN         : '&=' ;
PIPE_ASSIGN        : '|=' ;
CARET_ASSIGN       : '^=' ;
SHIFT_LEFT_ASSIGN  : '<<=' ;
SHIFT_RIGHT_ASSIGN : '>>=' ;

// --- What the parser does not see ---------------------------------------------------------------

SPACE : [ \t\r\n]+ -> channel(SPACES) ;

// /// documents the item that follows
DOC_COMMENT : '///' ~[\r\n]* -> channel(COMMENTS) ;

// // to the end of the line
LINE_COMMENT : '//' ~[\r\n]* -> channel(COMMENTS) ;

// /* nests /* to any depth */ */
BLOCK_COMMENT_START : '/*' -> more, pushMode(COMMENT) ;

// What no rule above takes: reported once per run, then left out. Bytes past ASCII reach the lexer
// as DEL (byte_stream.h), so a run of them is one token.
BAD : '\u007F'+ | . ;

// The comment that was opened by the program; its end is the end of the token.
mode COMMENT;

BLOCK_COMMENT      : '*/' -> channel(COMMENTS), popMode ;
COMMENT_NEST       : '/*' -> more, pushMode(NESTED) ;
COMMENT_TEXT       : ~[*/]+ -> more ;
COMMENT_MARK       : [*/] -> more ;

// A comment inside a comment; one mode on the lexer's stack per level, so depth costs no recursion.
mode NESTED;

NESTED_END  : '*/' -> more, popMode ;
NESTED_NEST : '/*' -> more, pushMode(NESTED) ;
NESTED_TEXT : ~[*/]+ -> more ;
NESTED_MARK : [*/] -> more ;

// The syntax of the language. Every decision is made on one token, so the generated parser is plain
// switches and its time is linear. What needs more than one token to decide (precedence, `name =`
// before an argument, which words form a type) is read flat here and given its shape, or refused
// with a message of its own, by compiler/parse/build_*.cpp.
parser grammar PtoParser;

options { tokenVocab = PtoLexer; }

// --- Items --------------------------------------------------------------------------------------

// import shmem; window w: f32[4]; kernel k() { }      The tree of a file; the parser in
// compiler/parse/parse.cpp takes the items one by one, to free what it no longer needs.
file : item* EOF ;

// #[allow(leak, "on purpose")] window w: f32[4];
item
    : attributes+=attribute*
      ( import_=importItem | const_=constItem | window=windowItem | fn=fnItem | kernel=kernelItem
      | host=hostItem | test=testItem | stray=SEMI )
    ;

// #[allow(wait-unreachable-1d, "the partner is a test double")]
attribute : HASH LBRACK kind=name LPAREN rule_=slug (COMMA reason=STRING)? RPAREN RBRACK ;

// wait-unreachable-1d
slug : slugPart+ (MINUS slugPart+)* ;

// unreachable   1   d
slugPart : word | INT ;

// import std.collective;   import "lib/ring.pto" as ring;
importItem : IMPORT (path=qualifiedName | filePath=STRING) (AS alias=name)? SEMI ;

// std.collective
qualifiedName : name (DOT word)* ;

// const N: i32 = 1 << 10;
constItem : CONST bound=name COLON of=type ASSIGN initial=value SEMI ;

// window seen: i32[16] align 64 = 0;   window cold: u8[64] host;   local work: f32[N];
windowItem
    : kind=(WINDOW | LOCAL) bound=name COLON of=type host=HOST? (ALIGN alignment=expr)?
      (ASSIGN initial=value)? SEMI
    ;

// fn copy<T, const n: i32>(dst: remote T[n], src: gm T[n]) -> event { }
fnItem : FN bound=name generics=genericList? takes=params (ARROW result=type)? body=block ;

// <T, const n: i32>
genericList : LESS values+=generic (COMMA values+=generic)* GREATER ;

// T   const n: i32
generic : bound=name | CONST bound=name COLON of=type ;

// (n: i32, peer: i32 = 0)
params : LPAREN (values+=param (COMMA values+=param?)*)? RPAREN ;

// peer: i32 = 0
param : bound=name COLON of=type (ASSIGN initial=value)? ;

// kernel ring(n: i32) sync auto { }
kernelItem : KERNEL bound=name takes=params (sync=SYNC AUTO)? body=block ;

// host main(ranks = 2) { }
hostItem : HOST bound=name given=settings? body=block ;

// test "the payload arrives" (ranks = 4, target = a3) { }
testItem : TEST title=STRING given=settings? body=block ;

// (ranks = 4, target = a3)
settings : LPAREN (values+=setting (COMMA values+=setting?)*)? RPAREN ;

// ranks = 4
setting : bound=name ASSIGN given=value ;

// --- Types --------------------------------------------------------------------------------------

// f32   gm f32[4, n]   remote signal   window T[n]   tile f32[8, 8]   session<SDMA>   group f32[n]
type
    : ( memory=(GM | GROUP | REMOTE | TILE | WINDOW)? element=IDENT
      | session=SESSION LESS engine=name GREATER
      )
      (LBRACK dims+=expr (COMMA dims+=expr?)* RBRACK)?
    ;

// --- Statements ---------------------------------------------------------------------------------

// { statements }
block : open=LBRACE statements+=statement* close=RBRACE ;

// #[allow(unused-value, "warms the cache")] load(w[0]);
statement
    : attributes+=attribute*
      ( inner=block | let=letStatement | tile=tileStatement | if_=ifStatement | for_=forStatement
      | while_=whileStatement | loop=loopStatement | word_=wordStatement | return_=returnStatement
      | fill=fillStatement | save=saveStatement | launch=launchStatement | expect=expectStatement
      | operation=operationStatement | stray=SEMI )
    ;

// let next = rank + 1;   var n: i32 = 0;   let s = session<SDMA>(t) else { return; };
letStatement
    : kind=(LET | VAR) bound=name (COLON of=type)? (ASSIGN initial=value)? clauses+=clause*
      (ELSE otherwise=block)? SEMI
    ;

// after t1, t2   from p
clause : AFTER tokens_+=expr (COMMA tokens_+=expr)* | from=FROM peer=expr ;

// tile t: f32[64, 64] at 0x10000 valid [r, c];
tileStatement
    : TILE bound=name COLON of=type (AT offset=expr)?
      (VALID LBRACK valid+=expr (COMMA valid+=expr?)* RBRACK)? SEMI
    ;

// if a { } else if b { } else { }
ifStatement : IF condition=expr then=block branches+=elseBranch* ;

// else if b { }   else { }
elseBranch : ELSE (if_=IF condition=expr)? body=block ;

// for i in 0..n step 2 { }
forStatement : FOR bound=name IN low=expr RANGE high=expr (STEP stride=expr)? body=block ;

// while pending > 0 { }
whileStatement : WHILE condition=expr body=block ;

// loop { }
loopStatement : LOOP body=block ;

// break;   continue;   sync;   yield;
wordStatement : kind=(BREAK | CONTINUE | SYNC | YIELD) SEMI ;

// return x;   return tload(t, w) after e;
returnStatement : RETURN (result=value clauses+=clause*)? SEMI ;

// fill w[i] = f32(i) where i < n;   fill w from "in.npy";   fill ring.w = 0;
fillStatement
    : FILL bound=qualifiedName (LBRACK indices+=expr (COMMA indices+=expr?)* RBRACK)?
      (ASSIGN with=expr (WHERE where=expr)? | FROM filePath=STRING) SEMI
    ;

// save w to "out.npy";
saveStatement : SAVE bound=qualifiedName TO filePath=STRING SEMI ;

// launch k(4) blocks 2 on stream 1;
launchStatement : LAUNCH callee=qualifiedName given=arguments clauses+=launchClause* SEMI ;

// blocks 2   on stream 1
launchClause : blocks=BLOCKS count=expr | ON STREAM count=expr ;

// expect w[i] ~= 1.0 within 1e-3 where i < n;   expect violation(gm-race);
expectStatement
    : EXPECT ( VIOLATION LPAREN rule_=slug RPAREN
             | condition=expr (WITHIN tolerance=expr)? (WHERE where=expr)? )
      SEMI
    ;

// tput(w@p, w, t) after e from p;   x += 1;
operationStatement : target=expr (op=assignOperator given=value)? clauses+=clause* SEMI ;

// +=
assignOperator
    : ASSIGN | PLUS_ASSIGN | MINUS_ASSIGN | STAR_ASSIGN | SLASH_ASSIGN | PERCENT_ASSIGN
    | AMP_ASSIGN | PIPE_ASSIGN | CARET_ASSIGN | SHIFT_LEFT_ASSIGN | SHIFT_RIGHT_ASSIGN
    ;

// --- Expressions --------------------------------------------------------------------------------

// { "BufferPool": "0:0" }   a + 1      A map stands only where a value is taken, so that a
// statement that begins with a brace is a block.
value : map=mapLiteral | plain=expr ;

// a + b * c << 2      A flat chain: precedence is the builder's (compiler/base/operator.def).
expr : operands+=operand (operators+=binaryOperator operands+=operand)* ;

// ==
binaryOperator
    : OR | AND | EQUAL | NOT_EQUAL | NEARLY | LESS | LESS_EQ | GREATER | GREATER_EQ
    | PIPE | CARET | AMP | SHIFT_LEFT | SHIFT_RIGHT | PLUS | MINUS | STAR | SLASH | PERCENT
    ;

// -w@p[i].x(1)   4   "text"   x      One rule for what most operands are, since a rule is an object
// to ANTLR. The words are those of `name`, and `test`.
operand
    : prefixes+=(MINUS | TILDE | BANG)*
      ( literal=(INT | FLOAT | STRING | BLOCK_STRING | OPEN_STRING | OPEN_BLOCK_STRING | TRUE | FALSE)
      | named=(IDENT | AFTER | ALIGN | AS | AT | AUTO | BLOCKS | FROM | GM | GROUP | ON | REMOTE
              | STEP | STREAM | TO | VALID | WHERE | WITHIN | TEST)
      | inner=bracketed
      )
      suffixes+=suffix*
    ;

// (a + b)   (a, b)   [1, 2]   [(x[i], x@p[i]) for i in 0..n]   session<SDMA>(t)
bracketed
    : LPAREN elements+=value (commas+=COMMA elements+=value?)* RPAREN
    | list=LBRACK (elements+=value ((COMMA elements+=value?)* | over=listOver))? RBRACK
    | session=SESSION LESS engine=name GREATER given=arguments
    ;

// for i in 0..n
listOver : FOR bound=name IN low=expr RANGE high=expr ;

// (a, n = 4)   [i, a..b]   @p   .reshape
suffix
    : call=arguments
    | LBRACK subscripts+=subscript (COMMA subscripts+=subscript?)* RBRACK
    | peer=PEER (peerName=name | peerNumber=INT | LPAREN peerValue=expr RPAREN)
    | DOT member=word
    ;

// (a, n = 4)
arguments : LPAREN (values+=argument (COMMA values+=argument?)*)? RPAREN ;

// n = 4
argument : map=mapLiteral | first=expr (ASSIGN given=value)? ;

// i   a..b step k   a..   ..b   ..
subscript
    : low=expr (range=RANGE (high=expr (STEP stride=expr)?)?)?
    | range=RANGE (high=expr (STEP stride=expr)?)?
    ;

// { "BufferPool": "0:0" }
mapLiteral : LBRACE (entries+=mapEntry (COMMA entries+=mapEntry?)*)? RBRACE ;

// "BufferPool": "0:0"
mapEntry : key=STRING COLON given=value ;

// --- Words --------------------------------------------------------------------------------------

// inbox   from      Contextual words are names wherever a name is read.
name
    : IDENT | AFTER | ALIGN | AS | AT | AUTO | BLOCKS | FROM | GM | GROUP | ON | REMOTE | STEP
    | STREAM | TO | VALID | WHERE | WITHIN
    ;

// wait   test       After a dot and in a slug every word is only a word.
word
    : IDENT | AFTER | ALIGN | AS | AT | AUTO | BLOCKS | FROM | GM | GROUP | ON | REMOTE | STEP
    | STREAM | TO | VALID | WHERE | WITHIN
    | BREAK | CONST | CONTINUE | ELSE | EXPECT | FALSE | FILL | FN | FOR | HOST | IF | IMPORT | IN
    | KERNEL | LAUNCH | LET | LOCAL | LOOP | RETURN | SAVE | SESSION | SYNC | TEST | TILE | TRUE
    | VAR | VIOLATION | WHILE | WINDOW | YIELD
    ;

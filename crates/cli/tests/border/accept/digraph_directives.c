// Directives and operators of macros may be written with digraphs.
%:define GLUE(a, b) a%:%:b
%:define TEXT(a) %:a
%:if 1
void reach_error(void);
%:endif

int main(void) <%
    int GLUE(va, lue)<:2:> = <%1, 2%>;
    const char *text = TEXT(x);
    if (value<:1:> != 2 || text<:0:> != 'x') reach_error();
    return 0;
%>

! Counts checks, and names those that fail.

Global checks;
Global failures;

[ Check name got want;
  checks++;
  if (got == want) rtrue;
  failures++;
  print "FAILED ", (string) name, ": ", got, " instead of ", want, "^";
  rfalse;
];

[ Report;
  print checks, " checks, ", failures, " failures^";
];

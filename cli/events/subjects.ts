/** What the lines must concern; undefined: anything. */
export type Subjects = ReadonlySet<string> | undefined;

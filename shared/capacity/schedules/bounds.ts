/** What a definition can ask for, in seconds. They stand apart so that the command line knows them without the schema. */
export const durationBounds = { minimum: 60, maximum: 7 * 86_400 } as const;
export const leadBounds = { minimum: 0, maximum: 3600 } as const;
export const mostExceptions = 400;

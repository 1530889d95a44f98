/** The limits of a schedule, in seconds. They are in a file of their own so that the command line starts without loading the schema. */
export const durationBounds = { minimum: 60, maximum: 7 * 86_400 } as const;
export const leadBounds = { minimum: 0, maximum: 3600 } as const;
export const mostExceptions = 400;

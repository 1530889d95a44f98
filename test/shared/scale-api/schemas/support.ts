import * as z from 'zod/mini';

/** Whether a value is of a schema. */
export const takes =
  (schema: z.core.$ZodType) =>
  (value: unknown): boolean =>
    z.safeParse(schema, value).success;

import * as z from 'zod/mini';

const fieldProblem = z.object({
  pointer: z.optional(z.string().check(z.describe('JSON pointer into the body'))),
  parameter: z.optional(z.string().check(z.describe('Name of a query parameter'))),
  detail: z.string(),
});

export const problem = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    errors: z.optional(z.array(fieldProblem)),
  })
  .check(z.meta({ id: 'Problem', description: 'Problem Details for HTTP APIs (RFC 9457)' }));

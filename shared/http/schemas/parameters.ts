import * as z from 'zod/mini';

export const groupParameters = z.object({
  group: z.string().check(z.describe('The name of a managed Auto Scaling group, percent-encoded')),
});

export const noQuery = z.strictObject({});

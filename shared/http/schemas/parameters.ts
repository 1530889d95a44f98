import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';

export const groupParameters = lazily(() =>
  z.object({
    group: z.string().check(z.describe('The name of a managed Auto Scaling group, percent-encoded')),
  }),
);

export const noQuery = lazily(() => z.strictObject({}));

import * as z from 'zod/mini';
import { isRunId } from './mark.ts';

const settingsSchema = z.object({
  run: z.string().check(z.refine(isRunId)),
  region: z.string(),
  endpoint: z.optional(z.string()),
  profile: z.optional(z.string()),
  accountId: z.string(),
  /** The folder of the release that is deployed, if a suite needs one. */
  release: z.optional(z.string()),
  /** For suites that launch instances. */
  vpcId: z.optional(z.string()),
  imageId: z.optional(z.string()),
  instanceType: z.string(),
  /** A file for the ledger. */
  ledger: z.string(),
  /** A file for the answers, one a line. */
  answers: z.string(),
  /** A file for the JSON report of Vitest. */
  report: z.string(),
  /** How many times as fast as this machine's the account's time passes: 1 for AWS. */
  speed: z.number(),
});

/** What the suites know of the account, from `npm run account`. */
export type AccountSettings = z.infer<typeof settingsSchema>;

export const settingsVariable = 'DROVER_ACCOUNT';

/** Undefined if no run has started this process. */
export function readSettings(
  environment: Readonly<Record<string, string | undefined>>,
): AccountSettings | undefined {
  const text = environment[settingsVariable];
  return text === undefined ? undefined : settingsSchema.parse(JSON.parse(text));
}

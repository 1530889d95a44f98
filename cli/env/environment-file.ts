import * as z from 'zod/mini';
import { parseJson } from '../../shared/base/parse-json.ts';

/** Where a running sandbox keeps the variables that a terminal needs to use it. Relative to the folder of the clone. */
export const usualEnvironmentFile = '.drover/environment.json';

/** Only variables of AWS, Kubernetes and Drover: a shell evaluates what the command prints. */
const schema = z.record(z.string().check(z.regex(/^(?:AWS_[A-Z_]+|DROVER_[A-Z_]+|KUBECONFIG)$/)), z.string());

export type TerminalEnvironment = Readonly<Record<string, string>>;

export const formatEnvironmentFile = (environment: TerminalEnvironment): string =>
  `${JSON.stringify(environment, null, 2)}\n`;

/** Undefined for a text that no sandbox has written. */
export function parseEnvironmentFile(text: string): TerminalEnvironment | undefined {
  const parsed = z.safeParse(schema, parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

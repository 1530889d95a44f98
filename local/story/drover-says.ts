import * as z from 'zod/mini';
import { parseJson } from '../../shared/base/parse-json.ts';
import type { Line } from './line.ts';

const passSchema = z.object({
  message: z.literal('pass'),
  work: z.string(),
  subject: z.string(),
  outcome: z.string(),
  reason: z.string(),
  afterSeconds: z.optional(z.number()),
});

const snapshotSchema = z.object({ message: z.literal('snapshot'), key: z.string(), bytes: z.number() });

const conflictSchema = z.object({
  message: z.literal('several keys ask for one name: no certificate is approved'),
  request: z.string(),
  reason: z.string(),
});

/**
 * The meaning of a function's log line for a person: the outcome of a pass, a new snapshot, or a request in conflict;
 * undefined for every other line.
 */
export function droverSays(at: number, logLine: string): Line | undefined {
  const line = parseJson(logLine);
  const snapshot = z.safeParse(snapshotSchema, line);
  if (snapshot.success) {
    const { key, bytes } = snapshot.data;
    return { at, speaker: 'drover', text: `etcd-snapshot: stored ${bytes} bytes as ${key}` };
  }
  const conflict = z.safeParse(conflictSchema, line);
  if (conflict.success) {
    const { request, reason } = conflict.data;
    return { at, speaker: 'drover', text: `certificate-requests ${request}: not approved, ${reason}` };
  }
  const pass = z.safeParse(passSchema, line);
  if (!pass.success) return undefined;
  const { work, subject, reason, afterSeconds } = pass.data;
  const next = afterSeconds === undefined ? '' : `; again in ${afterSeconds} s`;
  return { at, speaker: 'drover', text: `${work} ${subject}: ${reason}${next}` };
}

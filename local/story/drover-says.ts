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
 * Gives the meaning of a function's log line in plain words: the outcome of a pass, a new snapshot, or a request in conflict;
 * undefined for every other line. Each run logs a conflict, which is repeated only if its reason changes.
 */
export function createDroverSays(): (at: number, logLine: string) => Line | undefined {
  const saidOf = new Map<string, string>();
  return (at, logLine) => {
    const line = parseJson(logLine);
    const conflict = z.safeParse(conflictSchema, line);
    if (!conflict.success) return meaningOf(at, line);
    const { request, reason } = conflict.data;
    if (saidOf.get(request) === reason) return undefined;
    saidOf.set(request, reason);
    return { at, speaker: 'drover', text: `certificate-requests ${request}: not approved, ${reason}` };
  };
}

function meaningOf(at: number, line: unknown): Line | undefined {
  const snapshot = z.safeParse(snapshotSchema, line);
  if (snapshot.success) {
    const { key, bytes } = snapshot.data;
    return { at, speaker: 'drover', text: `etcd-snapshot: stored ${bytes} bytes as ${key}` };
  }
  const pass = z.safeParse(passSchema, line);
  if (!pass.success) return undefined;
  const { work, subject, reason, afterSeconds } = pass.data;
  const next = afterSeconds === undefined ? '' : `; again in ${Math.ceil(afterSeconds)} s`;
  return { at, speaker: 'drover', text: `${work} ${subject}: ${reason}${next}` };
}

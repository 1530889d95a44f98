import { composeSweep, type SweepSummary } from '../shared/runtime/compose-sweep.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Finds every few minutes what is missing, orphaned or drifted, and wakes the passes for it. */
export const create: CreateHandler<unknown, SweepSummary> = composeSweep;

export const handler = onLambda(create);

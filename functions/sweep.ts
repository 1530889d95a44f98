import { composeSweep, type SweepSummary } from '../shared/runtime/compose-sweep.ts';
import type { CreateHandler } from '../shared/runtime/lambda.ts';
import { onLambda } from '../shared/runtime/lambda-entry.ts';

/** Looks every few minutes for what is missing, orphaned or drifted, and wakes whoever must see to it. */
export const create: CreateHandler<unknown, SweepSummary> = composeSweep;

export const handler = onLambda(create);

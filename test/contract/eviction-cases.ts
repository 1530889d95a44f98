import { budgetCases } from './eviction/budget-cases.ts';
import type { TestNamespace } from './eviction/namespace.ts';
import { requestCases } from './eviction/request-cases.ts';
import type { Cases } from './support/contract.ts';

/** The eviction subresource of pods: https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/ */
export const evictionCases: Cases<TestNamespace> = { ...budgetCases, ...requestCases };

import type { Cases } from '../../../../truth/contract.ts';
import { budgetCases } from './budget-cases.ts';
import type { TestNamespace } from './namespace.ts';
import { requestCases } from './request-cases.ts';

/** The eviction subresource of pods: https://kubernetes.io/docs/concepts/scheduling-eviction/api-eviction/ */
export const evictionCases: Cases<TestNamespace> = { ...budgetCases, ...requestCases };

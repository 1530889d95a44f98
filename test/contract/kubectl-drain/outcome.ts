export const outcomes = [
  'refuses: daemon set',
  'refuses: daemon set is gone',
  'refuses: local storage',
  'refuses: no controller',
  'stays',
  'stays: daemon set',
  'is deleted',
  'is evicted',
  'is evicted, without a controller',
  'is held by a budget',
  'has several budgets',
] as const;

/** What a drain does with a pod, in words for both kubectl and Drover. */
export type Outcome = (typeof outcomes)[number];

type ReasonOf<T> = T extends `refuses: ${infer Reason}` ? Reason : never;

/** Why a pod refuses, as kubectl groups them. */
export type Refusal = ReasonOf<Outcome>;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

interface Conditioned {
  readonly status?: {
    readonly conditions?: readonly (Condition & { readonly lastTransitionTime?: string })[];
  };
}

/** The object with the condition set; its transition time moves only when its status does. */
export function withCondition<T extends Conditioned>(object: T, condition: Condition, now: string): T {
  const conditions = object.status?.conditions ?? [];
  const before = conditions.find(({ type }) => type === condition.type);
  const lastTransitionTime = before?.status === condition.status ? (before.lastTransitionTime ?? now) : now;
  const next = { ...condition, lastTransitionTime };
  const others = conditions.filter(({ type }) => type !== condition.type);
  return { ...object, status: { ...object.status, conditions: [...others, next] } };
}

const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
};

/** A Kubernetes quantity (`500m`, `1Gi`) as a number; NaN when it is none. */
export function parseQuantity(quantity: string | number | undefined): number {
  if (typeof quantity === 'number') return quantity;
  const parts = /^([+-]?[\d.]+(?:e\d+)?)(n|u|m|k|M|G|T|P|Ki|Mi|Gi|Ti|Pi)?$/.exec(quantity ?? '0');
  return parts === null ? Number.NaN : Number(parts[1]) * (suffixes[parts[2] ?? ''] ?? Number.NaN);
}

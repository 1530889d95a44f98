const units = [
  ['Gi', 2 ** 30],
  ['Mi', 2 ** 20],
  ['Ki', 2 ** 10],
] as const;

const isInBytes = (resource: string): boolean =>
  resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');

/** An amount in the scheduler's units as a quantity with its resource: `500m cpu`, `1.5Gi memory`, `1 nvidia.com/gpu`. */
export function amountText(resource: string, amount: number): string {
  if (resource === 'cpu') return `${amount % 1000 === 0 ? amount / 1000 : `${amount}m`} cpu`;
  if (!isInBytes(resource)) return `${amount} ${resource}`;
  const [unit, size] = units.find(([, bytes]) => amount >= bytes) ?? ['', 1];
  // Rounded down: what is free is never shown as more than it is.
  return `${Math.floor((amount / size) * 10) / 10}${unit} ${resource}`;
}

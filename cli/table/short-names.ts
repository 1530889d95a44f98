const address = /^[\d.]+$|:/;

/** The first label of a host name: `ip-10-0-32-6` of `ip-10-0-32-6.eu-west-1.compute.internal`. An address stays whole. */
export const firstLabel = (name: string): string =>
  address.test(name) ? name : (name.split('.', 1)[0] ?? name);

/** Shortens names to their first labels, where these differ from the other names and their labels. Pure. */
export function shortNamesOf(names: readonly string[]): (name: string) => string {
  const byLabel = Map.groupBy(new Set(names), firstLabel);
  return (name) => (byLabel.get(firstLabel(name))?.length === 1 ? firstLabel(name) : name);
}

import { counted } from '../counted.ts';

/** The name of a roll that is given none. The name of a group may have characters that a roll may not, and end with one. */
export function nameFor(
  names: readonly string[],
  { all }: { readonly all?: true },
  groups: readonly { readonly autoScalingGroupName: string }[],
): string {
  const [group] = groups;
  if (all || group === undefined) return 'all';
  const others = groups.length - 1;
  const name = group.autoScalingGroupName
    .replaceAll(/[^\w.-]/g, '-')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, 50)
    .replace(/[^A-Za-z0-9]+$/, '');
  return `${name || 'roll'}${names.length > 1 && others > 0 ? `-and-${others}` : ''}`;
}

/** What a roll of so many old nodes does, or would do. */
export function beginText(
  name: string,
  old: number,
  { isDryRun, access = '' }: { readonly isDryRun: boolean; readonly access?: string },
): string {
  if (old === 0) return 'no node is old: there is nothing to replace';
  return isDryRun
    ? `roll ${name} would replace ${counted(old, 'node')} (dry run)`
    : `roll ${name} has begun: it replaces ${counted(old, 'node')}; drover roll status ${name}${access} shows how far it is`;
}

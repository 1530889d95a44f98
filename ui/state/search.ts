import type { Placed } from './condition.ts';

/** What the reader looks for. Empty texts match everything. */
export interface Search {
  readonly words: string;
  readonly show: Show;
  readonly zone: string;
}

export type Show = '' | 'moving' | 'failing' | 'cordoned' | 'spot';

export const shows: readonly (readonly [Show, string])[] = [
  ['', 'All instances'],
  ['moving', 'Leaving or joining'],
  ['failing', 'Not well'],
  ['cordoned', 'Cordoned'],
  ['spot', 'Spot'],
];

export const noSearch: Search = { words: '', show: '', zone: '' };

export const isSearching = ({ words, show, zone }: Search): boolean => `${words.trim()}${show}${zone}` !== '';

/** Whether an instance is what the reader looks for: every word is in its names, its type, or the names of its pods. */
export function matches(one: Placed, { words, show, zone }: Search): boolean {
  const { instance } = one;
  if (zone !== '' && instance.availabilityZone !== zone) return false;
  if (!isShown(one, show)) return false;
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return true;
  const text = textOf(one);
  return wanted.every((word) => text.includes(word));
}

function isShown({ instance, condition }: Placed, show: Show): boolean {
  switch (show) {
    case '':
      return true;
    case 'moving':
      return condition === 'leaving' || condition === 'joining';
    case 'failing':
      return condition === 'failing';
    case 'cordoned':
      return condition === 'cordoned' || instance.node?.cordoned === true;
    case 'spot':
      return instance.market === 'spot';
  }
}

const textOf = ({ instance, group }: Placed): string =>
  [
    instance.instanceId,
    instance.node?.name,
    instance.availabilityZone,
    instance.instanceType,
    instance.lifecycleState,
    group.autoScalingGroupName,
    ...(instance.node?.pods?.map(({ name }) => name) ?? []),
  ]
    .join(' ')
    .toLowerCase();

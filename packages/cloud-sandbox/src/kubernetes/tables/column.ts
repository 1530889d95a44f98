import type { Item } from '../api/list.ts';

export interface Column {
  readonly name: string;
  /** Shown by `-o wide` only. */
  readonly wide?: boolean;
  readonly type?: 'string' | 'integer';
  readonly value: (item: Item, now: number) => string | number;
}

export const nameColumn: Column = { name: 'Name', value: ({ metadata }) => metadata.name };

export const ageColumn: Column = {
  name: 'Age',
  value: ({ metadata }, now) => age(metadata.creationTimestamp, now),
};

/** Of kinds for which kubectl has no printer of its own. */
export const createdColumn: Column = {
  name: 'Created At',
  value: ({ metadata }) => metadata.creationTimestamp,
};

/** How long ago, as kubectl writes it: `5s`, `3m20s`, `7m`, `5h12m`, `2d`. */
export function age(since: string | undefined, now: number): string {
  if (since === undefined) return '<unknown>';
  return duration(Math.max(0, Math.floor((now - Date.parse(since)) / 1000)));
}

/** Likewise of seconds. */
export function duration(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(seconds / 3600);
  const days = Math.floor(hours / 24);
  if (seconds < 120) return `${seconds}s`;
  if (minutes < 10) return two(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  if (hours < 8) return two(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  return days < 8 ? two(days, 'd', hours % 24, 'h') : `${days}d`;
}

function two(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large}${largeUnit}` : `${large}${largeUnit}${small}${smallUnit}`;
}

/** Labels on one line. */
export function pairs(labels: Readonly<Record<string, string>> | undefined): string {
  const list = Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);
  return list.length === 0 ? '<none>' : list.join(',');
}

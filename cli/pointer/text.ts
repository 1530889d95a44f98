import { shellWord } from '../../shared/base/shell-words.ts';
import { counted } from '../counted.ts';
import type { SeenProblems } from './point.ts';

/** What the listing was asked for, and `drover status` takes too. */
export interface PointerFlags {
  readonly cluster?: string;
  readonly region?: string;
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly stage?: string;
}

const flagNames = ['cluster', 'region', 'kubeconfig', 'context', 'stage'] as const;

/** `2 problems, 1 critical: drover status`; undefined if there are none. Pure. */
export function pointerText({ problems, isWhole }: SeenProblems, flags: PointerFlags): string | undefined {
  if (problems.length === 0) return undefined;
  const critical = problems.filter(({ severity }) => severity === 'critical').length;
  const count = `${isWhole ? '' : 'at least '}${counted(problems.length, 'problem')}`;
  return `${count}${critical > 0 ? `, ${critical} critical` : ''}: ${commandOf(flags)}`;
}

function commandOf(flags: PointerFlags): string {
  const given = flagNames.flatMap((name) => {
    const value = flags[name];
    return value === undefined ? [] : [`--${name} ${shellWord(value)}`];
  });
  return ['drover status', ...given].join(' ');
}

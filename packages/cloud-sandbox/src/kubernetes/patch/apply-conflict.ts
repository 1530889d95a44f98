import { failure, type StatusError } from '../api/status-error.ts';

interface Contested {
  readonly manager: string;
  readonly field: string;
}

/** 409 with one cause FieldManagerConflict for each field that another manager applies. */
export function applyConflict(contested: readonly Contested[]): StatusError {
  const [first] = contested;
  const many = contested.length === 1 ? 'conflict' : 'conflicts';
  const list = contested.map(({ field }) => `\n- ${field}`).join('');
  const message = `Apply failed with ${contested.length} ${many}: ${many} with "${first?.manager ?? ''}":${contested.length === 1 ? ` ${first?.field ?? ''}` : list}`;
  return failure({
    code: 409,
    reason: 'Conflict',
    message,
    causes: contested.map(({ manager, field }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with "${manager}"`,
      field,
    })),
  });
}

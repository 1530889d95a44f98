import { AwsError } from '../service.ts';
import { validation } from './errors.ts';

const maximumLevels = 15;
const maximumLength = 1011;

/** Throws for a name that Parameter Store would not take (PutParameter, Name). */
export function checkName(name: string): void {
  const levels = name.replace(/^\//, '').split('/');
  if (levels.length > maximumLevels) {
    const message = `Parameter name must have at most ${maximumLevels} levels.`;
    throw new AwsError({ code: 'HierarchyLevelLimitExceededException', message });
  }
  if (/^\/?(aws|ssm)/i.test(name)) {
    throw validation(
      'Parameter name: can\'t be prefixed with "aws" or "ssm" (case-insensitive), except global parameter name path prefixed with "aws" or "ssm" (case-insensitive) that are reserved.',
    );
  }
  if (name.length > maximumLength)
    throw validation(`Parameter name must not exceed ${maximumLength} characters.`);
  if (!/^[\w.\-/]+$/.test(name) || name.endsWith('/') || name.includes('//')) {
    throw validation(
      'Parameter name: only a mix of letters, numbers and the following 4 symbols .-_/ are allowed.',
    );
  }
  if (levels.length > 1 && !name.startsWith('/')) {
    throw validation('Parameter name must be a fully qualified name.');
  }
}

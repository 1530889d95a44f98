import { fits, type Variables } from './policy-text.ts';

const parts = 6;

/** The last of the six components has the other colons. */
function split(arn: string): readonly string[] {
  const pieces = arn.split(':');
  return pieces.length <= parts ? pieces : [...pieces.slice(0, parts - 1), pieces.slice(parts - 1).join(':')];
}

/** "Each of the six colon-delimited components of the ARN is checked separately and each can include * or ?". */
export function fitsArn(written: string, actual: string, variables: Variables): boolean {
  const asked = split(written);
  const given = split(actual);
  return (
    asked.length === parts &&
    given.length === parts &&
    asked.every((part, index) => fits(part, given[index] ?? '', variables))
  );
}

/** Of a resource the last components may be left out: any will do. */
export function fitsResource(written: string, actual: string, variables: Variables): boolean {
  if (written === '*') return true;
  const missing = Math.max(0, parts - split(written).length);
  return fitsArn(`${written}${':*'.repeat(missing)}`, actual, variables);
}

import { expect, test } from 'vitest';
import { dropErrorRegistrations } from '../../../scripts/build/shaking-errors.ts';

test("a service's modelled errors are registered no more, its base exception is", () => {
  const source = [
    '_s_registry.registerError(SSMServiceException$, SSMServiceException);',
    'n0_registry.registerError(ParameterNotFound$, ParameterNotFound);',
    'const other = 1;',
  ].join('\n');
  expect(dropErrorRegistrations(source)).toBe(
    '_s_registry.registerError(SSMServiceException$, SSMServiceException);\n\nconst other = 1;',
  );
});

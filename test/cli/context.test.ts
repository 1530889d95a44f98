import { emitWarningIfUnsupportedVersion } from '@aws-sdk/core/client';
import { expect, it, vi } from 'vitest';
import { thisMachine } from '../../cli/context.ts';

it('On Node 20 the terminal does not show what the SDK tells developers about its versions to come.', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  thisMachine();
  emitWarningIfUnsupportedVersion('v20.20.2');
  expect(warned).not.toHaveBeenCalled();
});

import { emitWarningIfUnsupportedVersion } from '@aws-sdk/core/client';
import { expect, it, vi } from 'vitest';
import { thisMachine } from '../../cli/context.ts';

it('the CLI does not print the SDK’s warning about its future versions on Node 20', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  thisMachine();
  emitWarningIfUnsupportedVersion('v20.20.2');
  expect(warned).not.toHaveBeenCalled();
});

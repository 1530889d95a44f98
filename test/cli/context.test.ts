import { emitWarningIfUnsupportedVersion } from '@aws-sdk/core/client';
import { expect, it, vi } from 'vitest';
import { homeOf, thisMachine } from '../../cli/context.ts';

it('the CLI does not print the SDK’s warning about its future versions on Node 20', () => {
  const warned = vi.spyOn(process, 'emitWarning').mockReturnValue();
  thisMachine();
  emitWarningIfUnsupportedVersion('v20.20.2');
  expect(warned).not.toHaveBeenCalled();
});

it('a user without an entry in /etc/passwd has the root for a home, as in a container of OpenShift', () => {
  const environment: NodeJS.ProcessEnv = {};
  const find = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  expect(homeOf(environment, find)).toBe('/');
  expect(environment).toEqual({ HOME: '/' });
});

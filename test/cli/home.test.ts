import { expect, it } from 'vitest';
import { homeOf } from '../../cli/home.ts';

it('a user without an entry in /etc/passwd has the root for a home, as in a container of OpenShift', () => {
  const environment: NodeJS.ProcessEnv = {};
  const find = () => {
    throw new Error('uv_os_homedir returned ENOENT');
  };
  expect(homeOf(environment, find)).toBe('/');
  expect(environment).toEqual({ HOME: '/' });
});

it.each(['', '.', 'home/anna'])('a home of %j is none: nothing is read from the current folder', (home) => {
  expect(homeOf({ HOME: home }, () => home)).toBe('/');
});

import type { Command } from 'commander';
import { expect, it } from 'vitest';
import { contextOn } from '../../../cli/context.ts';
import { createProgram } from '../../../cli/program.ts';

const silent = { write: () => {}, isTerminal: false };

const program = createProgram(
  contextOn({
    environment: {},
    homeDirectory: '/nowhere',
    clock: { now: () => 0, after: () => ({ cancel: () => undefined }) },
    pause: () => Promise.resolve(),
    stdout: silent,
    stderr: silent,
    readFile: () => Promise.reject(new Error('no file')),
    runProgram: () => Promise.reject(new Error('no program')),
    sendHttp: () => Promise.reject(new Error('no server')),
  }),
);

const listing = (command: Command, before = ''): readonly string[] => {
  const path = `${before}${command.name()}`;
  const own = command.options.some(({ long }) => long === '--output') ? [path] : [];
  return [...own, ...command.commands.flatMap((child) => listing(child, `${path} `))];
};

it('every command that lists takes -o', () => {
  expect(listing(program).toSorted()).toEqual([
    'drover csr list',
    'drover etcd snapshots',
    'drover etcd status',
    'drover groups',
    'drover hold list',
    'drover hooks',
    'drover nodes',
    'drover roll list',
    'drover schedule list',
    'drover status',
    'drover token list',
  ]);
});

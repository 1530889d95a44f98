import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.ts';

const adapters = ['aws', 'kubernetes', 'etcd-api'];

const shared = sourceFiles('shared');
const functions = sourceFiles('functions');
const product = [...functions, ...shared];

const roomOf = (path: string): string => path.split('/')[1] ?? '';
const isCapability = (path: string): boolean =>
  path.startsWith('shared/') && ![...adapters, 'runtime'].includes(roomOf(path));
const isAdapter = (path: string): boolean => path.startsWith('shared/') && adapters.includes(roomOf(path));

/** `file -> import` for every import that breaks the rule; a rule that finds no file to look at proves nothing. */
function breaches(files: readonly SourceFile[], isForbidden: (file: SourceFile, target: string) => boolean) {
  expect(files.length).toBeGreaterThan(0);
  return files.flatMap((file) =>
    file.imports.filter((target) => isForbidden(file, target)).map((target) => `${file.path} -> ${target}`),
  );
}

const uses = (files: readonly SourceFile[], pattern: RegExp): string[] => {
  expect(files.length).toBeGreaterThan(0);
  return files.filter((file) => pattern.test(file.code)).map((file) => file.path);
};

describe('the direction of imports', () => {
  it('lets capabilities import no adapter, no runtime and no function', () => {
    const capabilities = shared.filter((file) => isCapability(file.path));
    expect(
      breaches(
        capabilities,
        (_, target) => isAdapter(target) || target.startsWith('shared/runtime/') || target.startsWith('functions/'),
      ),
    ).toEqual([]);
  });

  it('lets adapters import no runtime, no function and no other adapter', () => {
    const own = shared.filter((file) => isAdapter(file.path));
    expect(
      breaches(
        own,
        ({ path }, target) =>
          target.startsWith('shared/runtime/') ||
          target.startsWith('functions/') ||
          (isAdapter(target) && roomOf(target) !== roomOf(path)),
      ),
    ).toEqual([]);
  });

  it('lets the product import nothing of the sandbox, the CLI or the tests', () => {
    expect(breaches(product, (_, target) => /^(local|cli|test|bench|scripts)\//.test(target))).toEqual([]);
  });
});

describe('what only adapters may touch', () => {
  it('is the AWS SDK', () => {
    expect(
      breaches(product, ({ path }, target) => /^@(aws-sdk|smithy)\//.test(target) && !isAdapter(path)),
    ).toEqual([]);
  });

  it('is the network', () => {
    const sockets = /^(node:)?(https?|http2|net|tls|dgram|dns)$/;
    expect(breaches(product, ({ path }, target) => sockets.test(target) && !isAdapter(path))).toEqual([]);
  });
});

describe('what is injected', () => {
  const realHost = 'shared/runtime/real-host.ts';

  it('is the environment: process.env is read in one place', () => {
    expect(uses(product, /\bprocess\.env\b/)).toEqual([realHost]);
  });

  it('is the clock', () => {
    expect(uses(product, /\bDate\.now\(|\bnew Date\(\s*\)|\bperformance\.now\(/)).toEqual([realHost]);
  });

  it('is chance', () => {
    expect(uses(product, /\bMath\.random\(|\brandom(?:Bytes|UUID|Int)\(/)).toEqual([realHost]);
  });

  it('is waiting: nothing sleeps in a Lambda', () => {
    expect(uses(product, /\bset(?:Timeout|Interval)\(/)).toEqual([]);
  });

  it('is the console: lines are written by the host', () => {
    expect(uses(product, /\bconsole\./)).toEqual([]);
  });
});

describe('untrusted input', () => {
  it('is parsed by zod/mini, never by the whole of zod, which is 443 KB', () => {
    expect(breaches(product, (_, target) => target === 'zod' || target === 'zod/v4')).toEqual([]);
  });
});

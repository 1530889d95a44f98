import { build } from 'esbuild';
import { expect, it } from 'vitest';
import scheduler from '../../../node_modules/@aws-sdk/client-scheduler/package.json' with { type: 'json' };
import { packageVersionsPlugin } from '../../../scripts/build/package-versions.ts';

it('bundles the version of a client of the AWS SDK, and nothing else of its package.json', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "import info from './package.json'; console.log(info.version);",
      resolveDir: 'node_modules/@aws-sdk/client-scheduler',
    },
    bundle: true,
    format: 'cjs',
    write: false,
    plugins: [packageVersionsPlugin],
  });
  const text = outputFiles[0]?.text ?? '';
  expect(text).toContain(`version: "${scheduler.version}"`);
  expect(text).not.toContain('dependencies');
  expect(text).not.toContain('license');
});

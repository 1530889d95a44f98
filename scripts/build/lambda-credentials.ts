import type { Plugin } from 'esbuild';

/** Lambda puts a function's credentials into its environment, and renews it with the environment. */
const fromEnvironmentOnly = `
  import { fromEnv } from '@aws-sdk/credential-provider-env';
  export const defaultProvider = (options) => fromEnv(options);
`;

/**
 * Leaves out of a bundle the SDK's search for credentials in files, single sign-on, containers and instance metadata:
 * some 100 KB that a Lambda never comes to.
 */
export const lambdaCredentialsPlugin: Plugin = {
  name: 'lambda-credentials',
  setup(build) {
    const namespace = 'lambda-credentials';
    build.onResolve({ filter: /^@aws-sdk\/credential-provider-node$/ }, ({ path, resolveDir }) => ({
      path,
      namespace,
      pluginData: { resolveDir },
    }));
    build.onLoad({ filter: /.*/, namespace }, ({ pluginData }) => ({
      contents: fromEnvironmentOnly,
      loader: 'js',
      resolveDir: (pluginData as { readonly resolveDir: string }).resolveDir,
    }));
  },
};

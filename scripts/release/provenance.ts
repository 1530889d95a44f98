import type { Checkout } from './checkout.ts';

export interface Build {
  readonly version: string;
  /** undefined if the sources are not a git checkout. */
  readonly checkout: Checkout | undefined;
  readonly nodeVersion: string;
  /** The SHA-256 of package-lock.json, which has the hash of each package that takes part in the build. */
  readonly lockSha256: string;
  readonly files: readonly { readonly file: string; readonly sha256: string }[];
}

/**
 * How a release was built: an in-toto statement with the provenance of SLSA 1.0. It names no time and no machine, so that the same commit
 * and the same Node.js give the same bytes. It is what the builder claims: only the signature of the checksums says who that is. Pure.
 *
 * @see https://slsa.dev/spec/v1.0/provenance
 */
export const provenance = ({ version, checkout, nodeVersion, lockSha256, files }: Build): object => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: files.map(({ file, sha256 }) => ({ name: file, digest: { sha256 } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: 'https://drover.dev/build/npm-run-release/v1',
      externalParameters: { command: 'npm run release', version },
      internalParameters: { node: nodeVersion },
      resolvedDependencies: [
        ...(checkout ? [source(checkout)] : []),
        { name: 'package-lock.json', digest: { sha256: lockSha256 } },
      ],
    },
    runDetails: { builder: { id: 'https://drover.dev/build/npm-run-release/own-machine/v1' } },
  },
});

const source = ({ commit, hasChanges }: Checkout): object => ({
  name: 'source',
  digest: { gitCommit: commit },
  ...(hasChanges && { annotations: { uncommittedChanges: true } }),
});

import { createHash } from 'node:crypto';
import { type BundledPackage, purlOf } from './bundled-packages.ts';

/** A file of a release that holds code: the zip of a function, or the package of the command. */
export interface Artifact {
  readonly name: string;
  /** Its path in the release. */
  readonly file: string;
  readonly sha256: string;
  /** The purls of the packages whose code is in it. */
  readonly packages: readonly string[];
}

export interface Materials {
  readonly version: string;
  readonly artifacts: readonly Artifact[];
  readonly packages: ReadonlyMap<string, BundledPackage>;
  /** The time of the commit, so that the same commit gives the same bytes. */
  readonly committedAt?: string | undefined;
}

/**
 * The software bill of materials of a release, as CycloneDX 1.6: which package of others is in which artifact, in the version and with the
 * hash that the lock file has. It contains nothing that differs between two builds of a commit. Pure.
 *
 * @see https://cyclonedx.org/docs/1.6/json/
 */
export function billOfMaterials(materials: Materials): object {
  const content = contentOf(materials);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: serialNumberOf(JSON.stringify(content)),
    version: 1,
    ...content,
  };
}

function contentOf({ version, artifacts, packages, committedAt }: Materials): object {
  const root = `drover@${version}`;
  const refOf = ({ name }: Artifact): string => `${root}/${name}`;
  return {
    metadata: {
      ...(committedAt && { timestamp: committedAt }),
      lifecycles: [{ phase: 'build' }],
      component: { ...ourComponent(root, 'drover', version) },
    },
    components: [
      ...artifacts.map((artifact) => ({
        ...ourComponent(refOf(artifact), artifact.name, version),
        hashes: [{ alg: 'SHA-256', content: artifact.sha256 }],
        properties: [{ name: 'drover:file', value: artifact.file }],
      })),
      ...[...packages].map(([purl, one]) => library(purl, one)),
    ],
    dependencies: [
      { ref: root, dependsOn: artifacts.map(refOf) },
      ...artifacts.map((artifact) => ({ ref: refOf(artifact), dependsOn: artifact.packages })),
      ...[...packages].map(([purl, { dependsOn }]) => ({ ref: purl, dependsOn })),
    ],
    // esbuild reports each file that it bundles, so nothing is missing.
    compositions: [{ aggregate: 'complete', assemblies: artifacts.map(refOf) }],
  };
}

const ourComponent = (ref: string, name: string, version: string) => ({
  type: 'application',
  'bom-ref': ref,
  name,
  version,
  licenses: [{ license: { id: 'Apache-2.0' } }],
});

/** The hash is that of the package's tarball in a registry. */
function library(purl: string, one: BundledPackage): object {
  const [scope, name] = one.name.startsWith('@') ? one.name.split('/') : [undefined, one.name];
  return {
    type: 'library',
    'bom-ref': purl,
    ...(scope && { group: scope }),
    name,
    version: one.version,
    hashes: hashesOf(one),
    licenses: [{ license: { id: one.license } }],
    purl: purlOf(one),
  };
}

const algorithms: Readonly<Record<string, string>> = {
  sha256: 'SHA-256',
  sha384: 'SHA-384',
  sha512: 'SHA-512',
};

/** @throws Error if a hash is of another kind, such as SHA-1, which proves nothing any more */
function hashesOf({ name, integrity }: BundledPackage): readonly object[] {
  return integrity.split(' ').map((hash) => {
    const [kind = '', digest = ''] = hash.split(/-(.*)/s);
    const alg = algorithms[kind];
    if (alg === undefined) throw new Error(`the integrity of ${name} in package-lock.json is a ${kind} hash`);
    return { alg, content: Buffer.from(digest, 'base64').toString('hex') };
  });
}

/** A UUID of version 8, whose bits the application chooses: here a hash of the content. */
function serialNumberOf(content: string): string {
  const bytes = createHash('sha256').update(content).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(bytes.toString('hex'))?.slice(1) ?? [];
  return `urn:uuid:${groups.join('-')}`;
}

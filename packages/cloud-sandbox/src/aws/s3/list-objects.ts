import type { ListObjectsRequest, ListObjectsV2Request } from '@aws-sdk/client-s3';
import { bucketOf, type S3World, type StoredObject } from './world.ts';

const mostKeys = 1000;

interface Entry {
  /** The key, or what many keys have in common up to the delimiter. */
  readonly name: string;
  /** Undefined if it stands for many. */
  readonly object?: StoredObject;
}

/** In the order of the names, page by page; the token is the name that the page before ended with. */
export function listObjects(world: S3World, input: ListObjectsV2Request) {
  const { Bucket, Prefix = '', Delimiter, ContinuationToken, MaxKeys = mostKeys } = input;
  const done = Buffer.from(ContinuationToken ?? '', 'base64').toString();
  const left = entriesOf(world, input).filter(({ name }) => name > done);
  const page = left.slice(0, Math.min(MaxKeys, mostKeys));
  const IsTruncated = page.length < left.length;
  const prefixes = page.filter(({ object }) => object === undefined);
  return {
    Name: Bucket,
    Prefix,
    ...(Delimiter && { Delimiter }),
    MaxKeys,
    KeyCount: page.length,
    IsTruncated,
    ...(IsTruncated && { NextContinuationToken: Buffer.from(page.at(-1)?.name ?? '').toString('base64') }),
    Contents: page.flatMap(({ name, object }) => (object === undefined ? [] : [contentOf(name, object)])),
    ...(prefixes.length > 0 && { CommonPrefixes: prefixes.map(({ name }) => ({ Prefix: name })) }),
  };
}

/** The version before it, which boto3's resources still ask for: the page goes on after a name that the caller says. */
export function listObjectsByMarker(world: S3World, { Marker = '', ...input }: ListObjectsRequest) {
  const { Contents, CommonPrefixes, IsTruncated, MaxKeys } = listObjects(world, {
    ...input,
    ContinuationToken: Buffer.from(Marker).toString('base64'),
  });
  const { Bucket: Name, Prefix = '', Delimiter } = input;
  const last = [Contents.at(-1)?.Key, CommonPrefixes?.at(-1)?.Prefix].flatMap((name) => name ?? []).sort();
  return {
    Name,
    Prefix,
    Marker,
    MaxKeys,
    IsTruncated,
    Contents,
    // "This element is returned only if you have the delimiter request parameter specified."
    ...(Delimiter && { Delimiter, ...(IsTruncated && { NextMarker: last.at(-1) }) }),
    ...(CommonPrefixes && { CommonPrefixes }),
  };
}

function entriesOf(world: S3World, input: ListObjectsV2Request): readonly Entry[] {
  const { Bucket, Prefix = '', Delimiter = '', StartAfter = '' } = input;
  const found = [...bucketOf(world, Bucket).objects]
    .filter(([key]) => key.startsWith(Prefix) && key > StartAfter)
    .map(([key, object]): Entry => {
      const end = Delimiter === '' ? -1 : key.indexOf(Delimiter, Prefix.length);
      return end === -1 ? { name: key, object } : { name: key.slice(0, end + Delimiter.length) };
    });
  const byName = new Map(found.map((entry) => [entry.name, entry]));
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

const contentOf = (Key: string, { content, eTag, lastModified }: StoredObject) => ({
  Key,
  Size: content.length,
  ETag: eTag,
  LastModified: new Date(lastModified),
  StorageClass: 'STANDARD',
});

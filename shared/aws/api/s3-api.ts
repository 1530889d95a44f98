import type { AwsConnection } from '../connection.ts';
import { AwsError } from './aws-error.ts';
import { errorElement, s3ErrorOf } from './s3-error.ts';
import { type S3Answer, s3Request } from './s3-request.ts';
import { readShape, type StructureShape, type ValueOf } from './shape.ts';
import { parseXml, type XmlElement, xmlReader } from './xml.ts';

/** A part that S3 has taken. */
export interface UploadedPart {
  readonly partNumber: number;
  readonly eTag: string;
  /** Base64, as S3 keeps it. */
  readonly sha256: string;
}

export interface Upload {
  readonly key: string;
  readonly uploadId: string;
}

/** The operations of one bucket that somebody uses, as in the S3 API reference (2006-03-01). They throw AwsError. */
export type S3Api = ReturnType<typeof s3Api>;

export interface NewObject {
  readonly key: string;
  /** Names in lower case, without their beginning `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** The id, ARN or alias of a KMS key; absent: the bucket's own encryption. */
  readonly kmsKeyId?: string;
}

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  readonly lastModified: number;
}

export function s3Api({
  connection,
  bucket,
}: {
  readonly connection: AwsConnection;
  readonly bucket: string;
}) {
  const ask = (request: Omit<Parameters<typeof s3Request>[1], 'bucket'>): Promise<S3Answer> =>
    s3Request(connection, { bucket, ...request });
  return {
    bucket,
    createMultipartUpload: async ({ key, metadata, kmsKeyId }: NewObject): Promise<string> => {
      const headers = {
        'content-type': 'application/octet-stream',
        'x-amz-checksum-algorithm': 'SHA256',
        ...Object.fromEntries(Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value])),
        ...(kmsKeyId && {
          'x-amz-server-side-encryption': 'aws:kms',
          'x-amz-server-side-encryption-aws-kms-key-id': kmsKeyId,
        }),
      };
      const answer = await ask({ method: 'POST', key, query: { uploads: '' }, headers });
      return required(read({ UploadId: 'string' } as const, answer).UploadId, 'UploadId');
    },

    /** S3 refuses a part whose hash is not this one: what arrives is what was sent. */
    uploadPart: async (
      { key, uploadId }: Upload,
      part: { readonly partNumber: number; readonly body: Uint8Array; readonly sha256: string },
    ): Promise<UploadedPart> => {
      const { partNumber, body, sha256 } = part;
      const query = { partNumber: String(partNumber), uploadId };
      const { headers } = await ask({
        method: 'PUT',
        key,
        query,
        body,
        headers: { 'x-amz-checksum-sha256': sha256 },
      });
      return { partNumber, eTag: required(headers['etag'], 'ETag'), sha256 };
    },

    completeMultipartUpload: async (
      { key, uploadId }: Upload,
      parts: readonly UploadedPart[],
    ): Promise<void> => {
      const elements = parts.map(
        ({ partNumber, eTag, sha256 }) =>
          `<Part><PartNumber>${partNumber}</PartNumber><ETag>${eTag.replaceAll('"', '&quot;')}</ETag><ChecksumSHA256>${sha256}</ChecksumSHA256></Part>`,
      );
      const body = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${elements.join('')}</CompleteMultipartUpload>`;
      const headers = { 'content-type': 'application/xml' };
      const answer = await ask({ method: 'POST', key, query: { uploadId }, body, headers });
      if (errorElement(answer.body)) throw s3ErrorOf(200, answer);
    },

    abortMultipartUpload: async ({ key, uploadId }: Upload): Promise<void> => {
      await ask({ method: 'DELETE', key, query: { uploadId } });
    },

    /** Every page. */
    listObjects: async (prefix: string): Promise<readonly ListedObject[]> => {
      const objects: ListedObject[] = [];
      let token: string | undefined;
      do {
        const query = {
          'list-type': '2',
          prefix,
          ...(token !== undefined && { 'continuation-token': token }),
        };
        const answer = await ask({ method: 'GET', query });
        objects.push(...contentsOf(answer));
        token = read({ NextContinuationToken: 'string' } as const, answer).NextContinuationToken;
      } while (token !== undefined);
      return objects;
    },

    /** The headers, which say its size, its ETag, its metadata, and its checksum as S3 keeps it. */
    headObject: async (key: string): Promise<S3Answer['headers']> =>
      (await ask({ method: 'HEAD', key, headers: { 'x-amz-checksum-mode': 'ENABLED' } })).headers,

    /** The bytes from the first to the last, both included; only while the object is the one of this ETag. */
    getRange: async (
      key: string,
      range: { readonly first: number; readonly last: number; readonly eTag: string },
    ): Promise<Uint8Array> => {
      const headers = { range: `bytes=${range.first}-${range.last}`, 'if-match': range.eTag };
      return (await ask({ method: 'GET', key, headers })).body;
    },

    deleteObject: async (key: string): Promise<void> => {
      await ask({ method: 'DELETE', key });
    },
  };
}

const read = <Shape extends StructureShape>(
  shape: Shape,
  { body }: S3Answer,
): Partial<ValueOf<Shape> & object> => readShape(shape, documentOf(body), xmlReader) ?? {};

const documentOf = (body: Uint8Array): XmlElement => parseXml(Buffer.from(body).toString());

const contentsShape = { Key: 'string', Size: 'integer', LastModified: 'date' } as const;

/** S3 writes the items of a list side by side, without an element around them. */
const contentsOf = ({ body }: S3Answer): readonly ListedObject[] =>
  documentOf(body)
    .children.filter(({ name }) => name === 'Contents')
    .map((element) => {
      const { Key, Size = 0, LastModified } = readShape(contentsShape, element, xmlReader) ?? {};
      return { key: required(Key, 'Key'), bytes: Size, lastModified: LastModified?.getTime() ?? 0 };
    });

function required(text: string | undefined, what: string): string {
  if (text) return text;
  throw new AwsError({ code: 'IncompleteAnswer', message: `S3 answered without ${what}`, statusCode: 200 });
}

import type { WireExample } from '../example.ts';

const bucket = 'amzn-s3-demo-bucket';
const host = `${bucket}.s3.eu-west-1.amazonaws.com`;

type About = Omit<WireExample, 'service' | 'operation' | 'page'>;

/** `request`: its first line, further headers and a body; the region and the bucket are the same in all of them here. */
const example = (operation: string, { request, input, ...about }: About): WireExample => ({
  ...about,
  service: 's3',
  operation,
  page: `https://docs.aws.amazon.com/AmazonS3/latest/API/API_${operation}.html`,
  request: request.replace('HTTP/1.1', `HTTP/1.1\nHost: ${host}`),
  input: { Bucket: bucket, ...input },
});

const upload = {
  key: 'example-object',
  uploadId: 'VXBsb2FkIElEIGZvciA2aWWpbmcncyBteS1tb3ZpZS5tMnRzIHVwbG9hZA',
};

export const s3Examples: readonly WireExample[] = [
  example('CreateMultipartUpload', {
    request: 'POST /example-object?uploads HTTP/1.1',
    response: `HTTP/1.1 200 OK
x-amz-request-id: 656c76696e6727732072657175657374

<?xml version="1.0" encoding="UTF-8"?>
<InitiateMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Bucket>${bucket}</Bucket>
  <Key>example-object</Key>
  <UploadId>${upload.uploadId}</UploadId>
</InitiateMultipartUploadResult>`,
    input: { Key: 'example-object' },
  }),

  example('UploadPart', {
    sloppy: 'the page leaves the data of the part out',
    request: `PUT /example-object?partNumber=1&uploadId=${upload.uploadId} HTTP/1.1

part data`,
    response: `HTTP/1.1 200 OK
x-amz-request-id: 656c76696e6727732072657175657374
ETag: "b54357faf0632cce46e942fa68356b38"

`,
    input: {
      Key: upload.key,
      PartNumber: 1,
      UploadId: upload.uploadId,
      Body: Buffer.from('part data'),
    },
  }),

  example('CompleteMultipartUpload', {
    sloppy: 'the request lacks its namespace, which S3 does not miss',
    request: `POST /example-object?uploadId=${upload.uploadId} HTTP/1.1

<CompleteMultipartUpload>
  <Part>
    <PartNumber>1</PartNumber>
    <ETag>"a54357aff0632cce46d942af68356b38"</ETag>
  </Part>
  <Part>
    <PartNumber>2</PartNumber>
    <ETag>"0c78aef83f66abc1fa1e8477f296d394"</ETag>
  </Part>
</CompleteMultipartUpload>`,
    response: `HTTP/1.1 200 OK
x-amz-request-id: 656c76696e6727732072657175657374

<?xml version="1.0" encoding="UTF-8"?>
<CompleteMultipartUploadResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
 <Location>http://${host}/Example-Object</Location>
 <Bucket>${bucket}</Bucket>
 <Key>Example-Object</Key>
 <ETag>"3858f62230ac3c915f300c664312c11f-9"</ETag>
</CompleteMultipartUploadResult>`,
    input: {
      Key: upload.key,
      UploadId: upload.uploadId,
      MultipartUpload: {
        Parts: [
          { PartNumber: 1, ETag: '"a54357aff0632cce46d942af68356b38"' },
          { PartNumber: 2, ETag: '"0c78aef83f66abc1fa1e8477f296d394"' },
        ],
      },
    },
  }),

  example('AbortMultipartUpload', {
    request: `DELETE /example-object?uploadId=${upload.uploadId} HTTP/1.1`,
    response: `HTTP/1.1 204 OK
x-amz-request-id: 996c76696e6727732072657175657374

`,
    input: { Key: upload.key, UploadId: upload.uploadId },
  }),

  example('ListObjectsV2', {
    request: 'GET /?list-type=2&max-keys=3&prefix=E&start-after=ExampleGuide.pdf HTTP/1.1',
    response: `HTTP/1.1 200 OK
x-amz-request-id: 3B3C7C725673C630
Content-Type: application/xml

<?xml version="1.0" encoding="UTF-8"?>
<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
  <Name>quotes</Name>
  <Prefix>E</Prefix>
  <StartAfter>ExampleGuide.pdf</StartAfter>
  <KeyCount>1</KeyCount>
  <MaxKeys>3</MaxKeys>
  <IsTruncated>false</IsTruncated>
  <Contents>
    <Key>ExampleObject.txt</Key>
    <LastModified>2013-09-17T18:07:53.000Z</LastModified>
    <ETag>"599bab3ed2c697f1d26842727561fd94"</ETag>
    <Size>857</Size>
    <StorageClass>REDUCED_REDUNDANCY</StorageClass>
  </Contents>
</ListBucketResult>`,
    input: { MaxKeys: 3, Prefix: 'E', StartAfter: 'ExampleGuide.pdf' },
  }),

  example('HeadObject', {
    sloppy: 'its date of modification has a day of one digit, which HTTP has not',
    request: 'HEAD /my-image.jpg HTTP/1.1',
    response: `HTTP/1.1 200 OK
x-amz-request-id: 318BC8BC143432E5
x-amz-version-id: 3HL4kqtJlcpXroDTDmjVBH40Nrjfkd
Last-Modified: Sun, 01 Jan 2006 12:00:00 GMT
ETag: "fba9dede5f27731c9771645a39863328"
Content-Length: 434234
Content-Type: text/plain

`,
    input: { Key: 'my-image.jpg' },
  }),

  example('GetObject', {
    sloppy: 'the page shows no bytes',
    request: `GET /example-object HTTP/1.1
Range: bytes=0-9`,
    response: `HTTP/1.1 206 Partial Content
x-amz-request-id: 47622117804B3E11
x-amz-meta-title: the title
Last-Modified: Fri, 28 Jan 2011 20:10:32 GMT
ETag: "b2419b1e3fd45d596ee22bdf62aaaa2f"
Accept-Ranges: bytes
Content-Range: bytes 0-9/443
Content-Type: text/plain
Content-Length: 10

0123456789`,
    input: { Key: 'example-object', Range: 'bytes=0-9' },
  }),

  example('DeleteObject', {
    request: 'DELETE /my-second-image.jpg HTTP/1.1',
    response: `HTTP/1.1 204 NoContent
x-amz-request-id: 0A49CE4060975EAC

`,
    input: { Key: 'my-second-image.jpg' },
  }),
];

import { AwsError } from '../service.ts';

/** Codes and words as in "Error responses" of the S3 API reference. */
const error = (code: string, statusCode: number, message: string) => (): AwsError =>
  new AwsError({ code, statusCode, message });

export const accessDenied = error('AccessDenied', 403, 'Access Denied');
export const noSuchBucket = error('NoSuchBucket', 404, 'The specified bucket does not exist');
export const noSuchKey = error('NoSuchKey', 404, 'The specified key does not exist.');
export const noSuchUpload = error(
  'NoSuchUpload',
  404,
  'The specified multipart upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
);
export const bucketExists = error(
  'BucketAlreadyOwnedByYou',
  409,
  'Your previous request to create the named bucket succeeded and you already own it.',
);
export const bucketNotEmpty = error('BucketNotEmpty', 409, 'The bucket you tried to delete is not empty');
export const invalidBucketName = error('InvalidBucketName', 400, 'The specified bucket is not valid.');
export const invalidPart = error(
  'InvalidPart',
  400,
  'One or more of the specified parts could not be found. The part may not have been uploaded, or the specified entity tag may not match the part’s entity tag.',
);
export const invalidPartOrder = error(
  'InvalidPartOrder',
  400,
  'The list of parts was not in ascending order. Parts must be ordered by part number.',
);
export const invalidPartNumber = error(
  'InvalidArgument',
  400,
  'Part number must be an integer between 1 and 10000, inclusive',
);
export const entityTooSmall = error(
  'EntityTooSmall',
  400,
  'Your proposed upload is smaller than the minimum allowed size',
);
export const malformedXml = error(
  'MalformedXML',
  400,
  'The XML you provided was not well-formed or did not validate against our published schema',
);
export const badDigest = error(
  'BadDigest',
  400,
  'The SHA256 you specified did not match the calculated checksum.',
);
export const missingChecksum = error(
  'InvalidRequest',
  400,
  'Checksum Type mismatch occurred, expected checksum Type: sha256, actual checksum Type: null',
);
export const invalidRange = error('InvalidRange', 416, 'The requested range is not satisfiable');
export const preconditionFailed = error(
  'PreconditionFailed',
  412,
  'At least one of the pre-conditions you specified did not hold',
);
export const noSuchPublicAccessBlock = error(
  'NoSuchPublicAccessBlockConfiguration',
  404,
  'The public access block configuration was not found',
);

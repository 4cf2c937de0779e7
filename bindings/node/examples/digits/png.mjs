// Decodes 8-bit greyscale PNG files without interlacing. In browsers, a canvas does this.
import {inflateSync} from 'node:zlib';

/** Returns Paeth's predictor: https://www.w3.org/TR/png-3/#9Filter-type-4-Paeth */
function paeth(left, up, corner) {
  const guess = left + up - corner;
  const [a, b, c] = [left, up, corner].map((value) => Math.abs(guess - value));
  return a <= b && a <= c ? left : b <= c ? up : corner;
}

const PREDICTORS = [() => 0, (left) => left, (left, up) => up, (left, up) => (left + up) >> 1, paeth];

/**
 * @param {Buffer} file
 * @returns {{width: number, height: number, pixels: Uint8Array}} `pixels` are grey values, row by row
 */
export function readPng(file) {
  const [width, height] = [file.readUInt32BE(16), file.readUInt32BE(20)];
  const isPlain = file.readUInt32BE(24) === 0x08000000 && file[28] === 0;
  if (!isPlain) throw new Error('The PNG file is not 8-bit greyscale without interlacing.');
  const parts = [];
  for (let at = 8; at < file.length; at += 12 + file.readUInt32BE(at)) {
    if (file.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(file.subarray(at + 8, at + 8 + file.readUInt32BE(at)));
  }
  const data = inflateSync(Buffer.concat(parts));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; ++y) {
    const predict = PREDICTORS[data[y * (width + 1)]];
    for (let x = 0; x < width; ++x) {
      const at = y * width + x;
      const left = x ? pixels[at - 1] : 0, up = y ? pixels[at - width] : 0, corner = x && y ? pixels[at - width - 1] : 0;
      pixels[at] = data[y * (width + 1) + 1 + x] + predict(left, up, corner);
    }
  }
  return {width, height, pixels};
}

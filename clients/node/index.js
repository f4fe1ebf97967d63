"use strict";
const { start } = require("./lib/start.js");
const { APNs, Clock, Device } = require("./lib/apns.js");
const { ExpectationError, MockAPNsError } = require("./lib/errors.js");
const { findProgram } = require("./lib/program.js");

module.exports = { start, findProgram, APNs, Clock, Device, ExpectationError, MockAPNsError };
